/** Resources: a text, an image, one to be watched, and a family by template. */
import { resource } from 'tenon/server';
import { pixel } from './samples.ts';

export const documents = [
  resource({
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  }),
  resource({
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    read: () => ({ blob: pixel }),
  }),
  resource({
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text to be watched.',
    mimeType: 'text/plain',
    read: () => 'Nothing has changed so far.',
  }),
  resource({
    template: 'test://template/{id}/data',
    name: 'template-data',
    description: 'Data by their number.',
    mimeType: 'application/json',
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
];
