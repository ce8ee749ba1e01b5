// @ts-check

/** The folders of the server, in the order of their imports. Resources stand between `resource` and `sign-in`. */
const capabilities = [
  'contract',
  'platform',
  'users',
  'limits',
  'audit',
  'notices',
  'sessions',
  'files',
  'lists',
  'links',
  'resource',
  'sign-in',
  'api-tokens',
  'accounts',
  'company-log-in',
  'administration',
  'audit-log',
  'overview',
  'instance',
  'live',
  'operator',
  'operation',
  'migrations',
  'cli',
]
/** Any other folder is a resource. */
const RESOURCE = `(?!(?:${[...capabilities, 'test'].join('|')})/)[^/]+`

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^src/(client/|route-tree\\.gen\\.ts$)' } },
    },
    // The SPA: routes -> features -> kinds -> components -> data -> browser -> lib -> client. A layer imports only layers below it.
    layer('client', ['routes', 'features', 'kinds', 'components', 'data(?!/api/client-config)', 'browser', 'lib']),
    layer('lib', ['routes', 'features', 'kinds', 'components', 'data', 'browser']),
    layer('browser', ['routes', 'features', 'kinds', 'components', 'data', 'client']),
    layer('data', ['routes', 'features', 'kinds', 'components']),
    layer('components', ['routes', 'features', 'kinds', 'client(?!/types\\.gen)']),
    layer('kinds', ['routes', 'features']),
    layer('features', ['routes']),
    standAlone('features', 'Routes compose features, which do not import each other.'),
    standAlone('kinds', 'A kind of field has all that is its own. What two share is beside their folders.'),
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
    // The server: a folder for each capability. Each imports only those before it in the list.
    ...capabilities.map(capability),
    {
      name: 'resources-stand-alone',
      comment:
        'A resource, such as items, imports what is before it in the list, and no other resource. `links` knows all by server/resources.ts.',
      severity: 'error',
      from: { path: `^server/(${RESOURCE})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^server/(${after('resource').join('|')}|${RESOURCE})/`, pathNot: '^server/$1/' },
    },
    {
      name: 'only-the-command-assembles-the-server',
      severity: 'error',
      from: { path: '^server/[^/]+/', pathNot: '^server/(cli|test)/|\\.test\\.ts$' },
      to: { path: '^server/(app|context|mails|routes)\\.ts$' },
    },
    {
      name: 'routes-know-no-queries',
      comment: 'Routes use rules, which decide who may do what.',
      severity: 'error',
      from: { path: '^server/(?!test/).*/routes\\.ts$' },
      to: { path: 'queries\\.ts$|^server/platform/database/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-routes-know-http',
      severity: 'error',
      from: {
        path: '^server/(?!platform/|test/|cli/|contract/)[^/]+/(?!(routes|request|csv|services|metrics)\\.ts$)',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: 'node_modules/(fastify|@fastify)/|^server/platform/http/' },
    },
    {
      name: 'only-queries-know-sql',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot:
          '^server/(platform/database|migrations|test)/|queries\\.ts$|^server/platform/mail/outbox\\.ts$|^server/(resource/table|resources|operation/(backup|backup-folder|copy|restore))\\.ts$|\\.test\\.ts$',
      },
      to: { path: 'node_modules/(kysely|better-sqlite3|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'scripts-build-and-test',
      comment: 'Scripts, except the demo data, use only the server command, its settings and the list of screens.',
      severity: 'error',
      from: { path: '^scripts/(?!seed/)' },
      to: {
        path: '^(server/(?!(cli/run-command|platform/(env-file|setting-descriptions|settings-in-files))\\.ts$)|src/(?!lib/screens\\.ts$))',
      },
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
      name: 'the-server-imports-only-its-packages',
      comment: 'An installation of the server has only the dependencies of server/package.json.',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.test\\.ts$|^server/test/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Its files are those of another folder.
    exclude: { path: '^scripts/new/template/' },
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

/** The folders of a layer do not import each other. @param {string} name @param {string} comment */
function standAlone(name, comment) {
  return {
    name: `${name}-stand-alone`,
    comment,
    severity: /** @type {const} */ ('error'),
    from: { path: `^src/${name}/([^/]+)/` },
    to: { path: `^src/${name}/[^/]+/`, pathNot: `^src/${name}/$1/` },
  }
}

/** @param {string} name */
function after(name) {
  return capabilities.slice(capabilities.indexOf(name) + 1)
}

/** @param {string} name */
function capability(name) {
  const above = name === 'cli' ? [] : [...after(name), ...(after(name).includes('resource') ? [RESOURCE] : [])]
  return {
    name: `server-${name}-imports-only-what-is-before-it`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^server/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^server/(${[...above, 'test'].join('|')})/` },
  }
}
