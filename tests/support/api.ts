import { randomUUID } from 'node:crypto'
import { superuser } from './running-server.ts'

/** Somebody who can log in. */
export interface Person {
  email: string
  password: string
  fullName: string | null
}

export interface NewPerson extends Person {
  isSuperuser: boolean
  isActive: boolean
}

/** The API of a running server, as tests use it to set the scene. */
export class Api {
  private readonly url: string
  readonly token: string

  private constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  static async logIn(url: string, { email, password }: Pick<Person, 'email' | 'password'>): Promise<Api> {
    const body = new URLSearchParams({ username: email, password })
    const response = await fetch(`${url}/api/v1/login/access-token`, { method: 'POST', body })
    if (!response.ok) throw new Error(`${email} cannot log in: ${await response.text()}`)
    const { access_token } = (await response.json()) as { access_token: string }
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

  async createItem(title: string, description: string | null = null): Promise<void> {
    await this.post('/items/', { title, description })
  }

  async get<Answer>(path: string): Promise<Answer> {
    const response = await fetch(`${this.url}/api/v1${path}`, { headers: { authorization: `Bearer ${this.token}` } })
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }

  private async post(path: string, body: object): Promise<void> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  }
}
