/** Accesses a storage. @returns `undefined` if it throws because it is full or blocked */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}

/** @returns whether the storage took the value */
export function store(storage: 'localStorage' | 'sessionStorage', key: string, value: string): boolean {
  try {
    // Blocked storage throws here, too.
    globalThis[storage].setItem(key, value)
    return true
  } catch {
    return false
  }
}
