import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db } from './store.ts'

/** Stands for a value that differs between calls. */
export type ValueOf<Values> = <Name extends keyof Values>(name: Name) => Values[Name]

export type Statement<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

/** A query without its values. */
interface Builder<Row> {
  compile(db: Kysely<never>): CompiledQuery<Row>
}

class Placeholder {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/**
 * A query whose SQL never changes, for frequent requests: building it takes about as long as running it. It is built
 * once for each kind of database.
 * @param build must use `value` for everything that differs between calls
 */
export function statement<Values extends object, Row>(
  build: (db: Db, value: ValueOf<Values>) => Builder<Row>,
): Statement<Values, Row> {
  const built = new Map<boolean, CompiledQuery<Row>>()
  const placeholder = ((name: keyof Values) => new Placeholder(name)) as unknown as ValueOf<Values>
  return async (db, values) => {
    const kind = isSqlite(db)
    const known = built.get(kind) ?? build(db, placeholder).compile(db as unknown as Kysely<never>)
    built.set(kind, known)
    const parameters = known.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return db.executeQuery({ ...known, parameters })
  }
}
