/** The two tools that served patterns get by default: a calculator and an echo, both free of side effects. */
import { type Tool, type ToolAnnotations, tool } from '../../tools/tool.ts';
import { evaluate, maxExpressionLength, printNumber } from './calculator.ts';

const harmless: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

const timeout = 5000;

/** Computes an arithmetic expression; failures are correctable and say what is wrong where. */
export const calculator: Tool<{ expression: string }> = tool({
  name: 'calculator',
  title: 'Calculator',
  description:
    'Computes one arithmetic expression of decimal numbers with + - * / % ** and parentheses. ' +
    'The result of % has the sign of the divisor.',
  input: {
    type: 'object',
    properties: {
      expression: {
        type: 'string',
        maxLength: maxExpressionLength,
        description: 'Such as "(17 * 83) ** 2 / 4"',
      },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  annotations: harmless,
  timeout,
  run: ({ expression }) => printNumber(evaluate(expression)),
});

/** Gives its text back as it is. */
export const echo: Tool<{ text: string }> = tool({
  name: 'echo',
  title: 'Echo',
  description: 'Returns its text unchanged.',
  input: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  annotations: harmless,
  timeout,
  run: ({ text }) => text,
});

/** Both, in this order. */
export const demoTools: readonly [typeof calculator, typeof echo] = Object.freeze([
  calculator,
  echo,
] as const);
