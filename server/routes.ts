import { accountRoutes } from './accounts/routes.ts'
import { administrationRoutes } from './administration/routes.ts'
import { apiTokenRoutes } from './api-tokens/routes.ts'
import { auditLogRoutes } from './audit-log/routes.ts'
import { companyLogInRoutes } from './company-log-in/routes.ts'
import type { RouteHandlers } from './contract/fastify.gen.ts'
import { fileRoutes } from './files/routes.ts'
import { instanceRoutes } from './instance/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { createCsv } from './lists/csv.ts'
import { overviewRoutes } from './overview/routes.ts'
import { liveRoutes } from './live/routes.ts'
import type { Streams } from './live/streams.ts'
import type { Context } from './platform/context.ts'
import { canSeeRow } from './resources.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'

/** A handler for every operation in openapi.json. If a handler is missing, the code does not compile. */
export function createRoutes(context: Context, streams: Streams): RouteHandlers {
  const sendCsv = createCsv(context)
  return {
    ...instanceRoutes(context),
    ...signInRoutes(context),
    ...apiTokenRoutes(context),
    ...accountRoutes(context),
    ...companyLogInRoutes(context),
    ...sessionRoutes(context),
    ...administrationRoutes(context, sendCsv),
    ...auditLogRoutes(context, sendCsv),
    ...overviewRoutes(context),
    ...liveRoutes(streams),
    ...fileRoutes(context, canSeeRow),
    ...itemRoutes(context, sendCsv),
  }
}
