// @ts-check
/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^src/(client/|route-tree\\.gen\\.ts$)' } },
    },
    // The SPA: routes -> features -> components -> lib -> client. A room imports only rooms below it.
    room('client', ['routes', 'features', 'components', 'lib(?!/api/client-config)']),
    room('lib', ['routes', 'features', 'components']),
    room('components', ['routes', 'features', 'client(?!/types\\.gen)']),
    room('features', ['routes']),
    {
      name: 'features-stand-alone',
      comment: 'A route composes features; they do not know each other.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'ui-knows-no-router-query-or-form-library',
      severity: 'error',
      from: { path: '^src/components/ui/' },
      to: { path: 'node_modules/(@tanstack|react-hook-form|@hookform|zod)/' },
    },
    {
      name: 'only-the-entry-mounts',
      comment:
        'The files at the top of src put the application together, and src/html draws it for the build; nothing else may reach up to them.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '\\.test\\.tsx?$|^src/html/' },
      to: { path: '^src/(main|app|router)\\.' },
    },
    // The server: cli -> http -> mail -> domain -> store -> lib. A room imports only rooms below it.
    serverRoom('lib', ['cli', 'http', 'mail', 'domain', 'store', 'contract']),
    serverRoom('store', ['cli', 'http', 'mail', 'domain', 'contract']),
    serverRoom('domain', ['cli', 'http', 'mail', 'contract']),
    serverRoom('mail', ['cli', 'http', 'contract']),
    serverRoom('http', ['cli']),
    {
      name: 'handlers-know-no-store',
      comment: 'A handler speaks HTTP with the domain.',
      severity: 'error',
      from: { path: '^server/http/handlers/' },
      to: { path: '^server/store/' },
    },
    {
      name: 'every-file-of-the-server-has-a-room',
      severity: 'error',
      from: { path: '^server/[^/]+\\.ts$' },
      to: {},
    },
    {
      name: 'scripts-build-and-test',
      comment: 'They start the server by its command and read the map of screens, and use nothing else of either.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(server/(?!cli/run-command\\.ts$)|src/(?!lib/screens\\.ts$))' },
    },
    {
      name: 'domain-knows-no-http-and-no-sql',
      severity: 'error',
      from: { path: '^server/domain/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(fastify|@fastify|kysely|better-sqlite3|pg)/' },
    },
    {
      name: 'sql-lives-in-the-store',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(store|test)/|\\.test\\.ts$' },
      to: { path: 'node_modules/(kysely|better-sqlite3|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'src-and-server-are-apart',
      comment: 'They share the contract, and nothing else.',
      severity: 'error',
      from: { path: '^(src|server)/' },
      to: { path: '^(src|server)/', pathNot: '^$1/' },
    },
    {
      name: 'products-do-not-import-tests-scripts-benchmarks-or-trials',
      severity: 'error',
      from: { path: '^(src|server)/', pathNot: '\\.test\\.tsx?$|^server/test/' },
      to: { path: '^tests/|^bench/|^scripts/|^trials/|^server/test/|\\.test\\.tsx?$' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependencies-in-the-server',
      comment: 'An installation may leave devDependencies out.',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.test\\.ts$|^server/test/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}

/** @param {string} name @param {string[]} above */
function room(name, above) {
  return {
    name: `${name}-imports-only-below`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^src/${name}/`, pathNot: '\\.test\\.tsx?$' },
    to: { path: `^src/(${above.join('|')})(/|$)` },
  }
}

/** @param {string} name @param {string[]} above */
function serverRoom(name, above) {
  return {
    name: `server-${name}-imports-only-below`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^server/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^server/(${above.join('|')})/` },
  }
}
