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
    // The SPA: routes -> features -> components -> lib -> client. A layer imports only layers below it.
    layer('client', ['routes', 'features', 'components', 'lib(?!/api/client-config)']),
    layer('lib', ['routes', 'features', 'components']),
    layer('components', ['routes', 'features', 'client(?!/types\\.gen)']),
    layer('features', ['routes']),
    {
      name: 'features-stand-alone',
      comment: 'Routes compose features, which do not import each other.',
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
        'Only src/html, which prerenders the application, may import the files at the top of src that assemble it.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '\\.test\\.tsx?$|^src/html/' },
      to: { path: '^src/(main|app|router)\\.' },
    },
    // The server: cli -> http -> mail -> domain -> store -> lib. A layer imports only layers below it.
    serverLayer('lib', ['cli', 'http', 'mail', 'domain', 'store', 'contract']),
    serverLayer('store', ['cli', 'http', 'mail', 'domain', 'contract']),
    serverLayer('domain', ['cli', 'http', 'mail', 'contract']),
    serverLayer('mail', ['cli', 'http', 'contract']),
    serverLayer('http', ['cli']),
    {
      name: 'handlers-know-no-store',
      comment: 'Handlers use the domain, not the store.',
      severity: 'error',
      from: { path: '^server/http/handlers/' },
      to: { path: '^server/store/' },
    },
    {
      name: 'every-file-of-the-server-is-in-a-layer',
      severity: 'error',
      from: { path: '^server/[^/]+\\.ts$' },
      to: {},
    },
    {
      name: 'scripts-build-and-test',
      comment: 'Scripts use only the server command and the list of screens.',
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
      comment: 'They share only the contract.',
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
      comment: 'Installations may omit devDependencies.',
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
function layer(name, above) {
  return {
    name: `${name}-imports-only-below`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^src/${name}/`, pathNot: '\\.test\\.tsx?$' },
    to: { path: `^src/(${above.join('|')})(/|$)` },
  }
}

/** @param {string} name @param {string[]} above */
function serverLayer(name, above) {
  return {
    name: `server-${name}-imports-only-below`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^server/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^server/(${above.join('|')})/` },
  }
}
