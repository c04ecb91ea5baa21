import { expect, it } from 'vitest';
import { type SearchText, ToolIndex } from './tool-search.ts';

const verbs = {
  create: 'Creates',
  list: 'Lists',
  delete: 'Deletes',
  update: 'Updates',
  get: 'Gets',
  search: 'Searches',
  archive: 'Archives',
  export: 'Exports',
};
const things = [
  'invoice',
  'customer',
  'ticket',
  'issue',
  'pull_request',
  'repository',
  'calendar_event',
  'email',
  'contact',
  'document',
  'spreadsheet',
  'folder',
  'user',
  'team',
  'project',
  'task',
  'deployment',
  'secret',
  'database',
  'dashboard',
  'alert',
  'incident',
  'webhook',
  'subscription',
  'payment',
  'order',
  'product',
  'shipment',
  'coupon',
  'page',
  'comment',
  'meeting',
  'reminder',
  'snapshot',
  'certificate',
  'build',
  'report',
  'message',
];

/** 304 tools, `verb_thing` each, with as little to tell them apart as servers give. */
const tools: readonly SearchText[] = things.flatMap(thing =>
  Object.entries(verbs).map(([verb, does]) => ({
    name: `${verb}_${thing}`,
    server: 'office',
    description: `${does} ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing.replace('_', ' ')}${verb === 'list' ? 's page by page' : ''}.`,
    parameters: ['id'],
  })),
);

const questions: readonly (readonly [string, string])[] = [
  ['create a new invoice', 'create_invoice'],
  ['make an invoice for a client', 'create_invoice'],
  ['remove customer', 'delete_customer'],
  ['show me all open tickets', 'list_ticket'],
  ['open a PR', 'create_pull_request'],
  ['send e-mail', 'create_email'],
  ['write an email to the boss', 'create_email'],
  ['list pull requests', 'list_pull_request'],
  ['find documents', 'search_document'],
  ['look up a user', 'search_user'],
  ['rename a folder', 'update_folder'],
  ['deleteCustomer', 'delete_customer'],
  ['delete_customers', 'delete_customer'],
  ['customers', 'list_customer'],
  ['export dashboards as PDF', 'export_dashboard'],
  ['erase old snapshots', 'delete_snapshot'],
  ['create_invoice', 'create_invoice'],
  ['add meeting to calendar', 'create_calendar_event'],
  ['add an event to my calendar', 'create_calendar_event'],
  ['schedule a meeting with the team', 'create_meeting'],
  ['cancel a subscription', 'delete_subscription'],
  ['change the price of a product', 'update_product'],
  ['edit the page', 'update_page'],
  ['which deployments are there?', 'list_deployment'],
  ['read the report', 'get_report'],
  ['show the incident', 'get_incident'],
  ['view a certificate', 'get_certificate'],
  ['what alerts do we have', 'list_alert'],
  ['download the spreadsheet', 'export_spreadsheet'],
  ['get rid of a webhook', 'delete_webhook'],
  ['discard a coupon', 'delete_coupon'],
  ['deleting secrets', 'delete_secret'],
  ['please fetch the payment', 'get_payment'],
  ['modify a reminder', 'update_reminder'],
  ['post a comment', 'create_comment'],
  ['I need to add a task to the project', 'create_task'],
  ['drop the database', 'delete_database'],
  ['list all builds', 'list_build'],
  ['start a new build', 'create_build'],
  ['register a bug', 'create_issue'],
  ['search the repos', 'search_repository'],
  ['pull-request details', 'get_pull_request'],
  ['display every contact', 'list_contact'],
  ['fix the address of a shipment', 'update_shipment'],
  ['archive an order', 'archive_order'],
  ['send a message', 'create_message'],
  ['make a directory', 'create_folder'],
  ['browse teams', 'list_team'],
];

it(`of ${questions.length} questions to ${tools.length} tools, nine in ten find theirs first, and all among the first five`, () => {
  const index = new ToolIndex(tools);
  const found = questions.map(([question, name]) => {
    const names = index.find(question, 5).map(number => tools[number]?.name);
    return { question, name, names, rank: names.indexOf(name) };
  });
  expect(tools.length).toBeGreaterThanOrEqual(300);
  expect(found.filter(({ rank }) => rank === -1)).toEqual([]);
  const late = found.filter(({ rank }) => rank > 0);
  expect(late.length, JSON.stringify(late, undefined, 1)).toBeLessThanOrEqual(questions.length / 10);
});
