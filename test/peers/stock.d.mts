/** The types of `stock.mjs`. */
export class Stock<T> {
  add(value: T): void;
  take(): Promise<T>;
}
