/** The vendored JSON Schema checker (typebox's engine); import it dynamically, most programs never need it. */
export {
  type CheckerError,
  type CheckerRemotes,
  check,
  errors,
  WorkLimitError,
} from './json-schema-checker.js';
