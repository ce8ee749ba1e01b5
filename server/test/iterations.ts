/** @returns how often the event loop ran other work meanwhile */
export async function iterationsDuring(work: () => Promise<unknown>): Promise<number> {
  let iterations = 0
  let next = setImmediate(count)
  function count(): void {
    iterations += 1
    next = setImmediate(count)
  }
  await work()
  clearImmediate(next)
  return iterations
}
