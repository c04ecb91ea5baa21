/** Lines of a stream of text, as many at once as a chunk completes; a long line is joined once. */

/** Calls `take` with each batch of complete lines. */
export function readLines(stream, take) {
  let pieces = [];
  stream.setEncoding('utf8').on('data', chunk => {
    const end = chunk.lastIndexOf('\n');
    if (end === -1) {
      pieces.push(chunk);
      return;
    }
    pieces.push(chunk.slice(0, end));
    const lines = pieces.join('').split('\n');
    pieces = [chunk.slice(end + 1)];
    take(lines);
  });
}
