export const scopeText = (scope: string): string => (scope === 'read' ? 'Read' : 'Read and write')
