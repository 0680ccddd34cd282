/** The few figures that the benchmark needs. Pure. */

export function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The exponent `k` of the power `y = c · x^k` that fits the points best: the slope of log y against log x. */
export function growthExponent(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const meanX = mean(logs.map(([x]) => x));
  const meanY = mean(logs.map(([, y]) => y));
  const covariance = mean(logs.map(([x, y]) => (x - meanX) * (y - meanY)));
  return covariance / mean(logs.map(([x]) => (x - meanX) ** 2));
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
