/** Folds texts that a program joins of constants, so that a guard sees what it will see at run time. */
// @ts-check

/** The texts and numbers of names that are bound once to a constant. @typedef {ReadonlyMap<string, string>} Constants */

/** The text of an expression of constants: `+`, templates, `join`, and names of constants; else undefined. @param {any} node @param {Constants} constants @returns {string | undefined} */
export function foldText(node, constants) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? String(node.value)
        : undefined;
    case 'Identifier':
      return constants.get(node.name);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return foldText(node.expression, constants);
    case 'UnaryExpression':
      return node.operator === '-' ? joined(['-', foldText(node.argument, constants)]) : undefined;
    case 'BinaryExpression':
      if (node.operator !== '+') return undefined;
      return joined([foldText(node.left, constants), foldText(node.right, constants)]);
    case 'TemplateLiteral':
      return joined(
        node.quasis.flatMap((/** @type {any} */ quasi, /** @type {number} */ index) => [
          quasi.value.cooked ?? quasi.value.raw,
          index < node.expressions.length ? foldText(node.expressions[index], constants) : '',
        ]),
      );
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.name !== 'join') return undefined;
      if (callee.object.type !== 'ArrayExpression') return undefined;
      const between = node.arguments.length === 0 ? ',' : foldText(node.arguments[0], constants);
      const parts = callee.object.elements.map((/** @type {any} */ each) => foldText(each, constants));
      return between === undefined || parts.includes(undefined) ? undefined : parts.join(between);
    }
    default:
      return undefined;
  }
}

/** Whether an expression joins texts; a single literal does not. @param {any} node */
export function isJoined(node) {
  return (
    node.type === 'BinaryExpression' ||
    node.type === 'CallExpression' ||
    (node.type === 'TemplateLiteral' && node.expressions.length > 0)
  );
}

/** @param {(string | undefined)[]} parts */
function joined(parts) {
  return parts.includes(undefined) ? undefined : parts.join('');
}
