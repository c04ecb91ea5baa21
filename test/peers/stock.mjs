/** Things that arrive now and are taken later, or the other way round. */
export class Stock {
  #kept = [];
  #takers = [];

  add(value) {
    const taker = this.#takers.shift();
    if (taker) taker(value);
    else this.#kept.push(value);
  }

  take() {
    return this.#kept.length > 0
      ? Promise.resolve(this.#kept.shift())
      : new Promise(resolve => this.#takers.push(resolve));
  }
}
