import { randomUUID } from 'node:crypto'
import { type RequestOptions, ask } from './http.ts'
import { superuser } from './running-server.ts'
import type { Sample } from './samples.ts'

export interface Person {
  email: string
  password: string
  fullName: string | null
}

export interface NewPerson extends Person {
  isSuperuser: boolean
  isActive: boolean
}

/** A client for the API of a running server, to prepare tests. It throws on any status but 200. */
export class Api {
  private readonly url: string
  readonly token: string

  private constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  static async logIn(url: string, { email, password }: Pick<Person, 'email' | 'password'>): Promise<Api> {
    const form = { username: email, password }
    const { access_token } = await requestJson<{ access_token: string }>('POST', url, '/login/access-token', { form })
    return new Api(url, access_token)
  }

  static ofSuperuser(url: string): Promise<Api> {
    return Api.logIn(url, superuser)
  }

  async createUser(values: Partial<NewPerson> = {}): Promise<Person> {
    const { isSuperuser = false, isActive = true, ...given } = values
    const person = {
      email: `${randomUUID()}@example.com`,
      password: 'correct horse',
      fullName: 'Ada Lovelace',
      ...given,
    }
    await this.post('/users/', {
      email: person.email,
      password: person.password,
      full_name: person.fullName,
      is_superuser: isSuperuser,
      is_active: isActive,
    })
    return person
  }

  /** Adds a row with the required fields, and these values. */
  async createRow({ table, least }: Pick<Sample, 'table' | 'least'>, values: object): Promise<void> {
    await this.post(`/${table}/`, { ...least, ...values })
  }

  async createItem(title: string, description: string | null = null): Promise<void> {
    await this.post('/items/', { title, description })
  }

  get<Reply>(path: string): Promise<Reply> {
    return requestJson('GET', this.url, path, { token: this.token })
  }

  private async post(path: string, json: object): Promise<void> {
    await requestJson('POST', this.url, path, { token: this.token, json })
  }
}

async function requestJson<Reply>(method: string, url: string, path: string, options: RequestOptions): Promise<Reply> {
  const { status, body } = await ask(method, `${url}/api/v1${path}`, options)
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${body}`)
  return JSON.parse(body) as Reply
}
