/** The question to a person whether a tool call may run, and what the answer decides; pure. */
import type { ToolDecision } from '../../agent/approval/decisions.ts';
import type { PendingCall } from '../../agent/approval/paused-state.ts';
import { printJson } from '../../basics/json.ts';
import type { ClientView } from '../../tools/context.ts';
import type { ElicitAnswer, FormQuestion } from '../../tools/question.ts';

/** Most characters of the arguments that a person is shown. */
const mostShown = 4000;

/** Asks about one call. What the model wrote stands there as JSON, in which no line and no sign can pass for ours. */
export function approvalQuestion(asker: string, { tool, arguments: args }: PendingCall): FormQuestion {
  const shown = visible(printJson(args));
  const more = shown.length - mostShown;
  const cut = more > 0 ? `${shown.slice(0, mostShown)} … [${more} more characters are not shown]` : shown;
  return {
    message: `${visible(JSON.stringify(asker))} wants to run the tool ${visible(JSON.stringify(tool))} with these arguments: ${cut}`,
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Run it', description: 'Whether this call may run, once' },
        reason: {
          type: 'string',
          title: 'Why not',
          maxLength: 500,
          description: 'For the model, when it may not',
        },
      },
      required: ['approve'],
    },
  };
}

/** Nothing but a form that says so lets the call run. */
export function readApprovalAnswer({ action, content }: ElicitAnswer): ToolDecision {
  if (action === 'accept' && content?.['approve'] === true) return true;
  const reason = action === 'accept' ? content?.['reason'] : undefined;
  const said =
    typeof reason === 'string' && reason.trim() !== '' ? reason : 'the person who was asked said no';
  return { allow: false, reason: said };
}

/** Whether there is somebody at the caller who can be shown a form. */
export function canBeAsked({ capabilities }: ClientView): boolean {
  const elicitation = capabilities['elicitation'];
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // Without modes it means forms.
  return Object.keys(elicitation).length === 0 || Object.hasOwn(elicitation, 'form');
}

/** Characters that show as nothing, or turn the text around, by their numbers. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, sign => {
    const code = sign.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
