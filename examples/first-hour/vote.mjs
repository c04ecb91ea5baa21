import { modelFromEnvironment } from 'tenon/models';
import { consensus } from 'tenon/patterns';

const model = await modelFromEnvironment(process.env);
const { value, score, cost } = await consensus(model, 'How many months has a year? Only the number.', {
  samples: 3,
});
console.log(`${value}, said by ${score * 100} % in ${cost.calls} calls`);
