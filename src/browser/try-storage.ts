/** @returns `undefined` if the storage throws because it is full or blocked */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}

export function store(storage: 'localStorage' | 'sessionStorage', key: string, value: string): boolean {
  const write = () => {
    globalThis[storage].setItem(key, value)
    return true
  }
  return tryStorage(write) ?? false
}
