/** What an era puts on messages where they have headers: the contract between a link and the client of an era. */
import type { ReplyHead, SendOptions } from '../channels/channel.ts';
import type { Id, Message } from '../rpc/message.ts';

/** What an era adds to each message where messages have headers, and learns from how replies begin. */
export interface Dress {
  wear(message: Message, headers: Readonly<Record<string, string>> | undefined): SendOptions | undefined;
  replied?(of: Id, head: ReplyHead): void;
}
