/** What an API token with a scope may. */
export const scopeText = (scope: string): string => (scope === 'read' ? 'Read' : 'Read and write')
