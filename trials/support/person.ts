import type { Agent } from 'node:http'
import { totpCode } from '../../tests/support/totp.ts'
import { type Reply, ask, type RequestOptions } from '../../tests/support/http.ts'
import type { Random } from '../../tests/support/random.ts'

export interface AccountState {
  exists: boolean
  password: string
  resetToken: string | null
  sessions: number
  hasApp: boolean
  recoveryCodes: number
  /** Whether a mailed link has confirmed the address. The first one removes the app. */
  isConfirmed: boolean
  /** Whether a mail about a new password must exist. The server sends at most one in five minutes. */
  isTold: boolean
  items: readonly string[]
}

export interface Server {
  url: string
  agent: Agent
  rootToken: string
}

const NOBODY: AccountState = {
  exists: false,
  password: '',
  resetToken: null,
  sessions: 0,
  hasApp: false,
  recoveryCodes: 0,
  isConfirmed: false,
  isTold: false,
  items: [],
}

let names = 0

/**
 * A person who sends one request at a time. The state of the account is always known: all acknowledged changes and, if
 * a response is missing, either none or all of its change.
 */
export class Person {
  readonly email: string
  readonly history = [NOBODY]
  underWay: AccountState | undefined
  readonly itemIds = new Map<string, string>()
  readonly faults: string[] = []
  gone = false
  id = ''
  private server!: Server
  private token: string | undefined
  private codes: string[] = []
  private readonly random: Random
  private readonly address: string

  constructor(random: Random, address: string) {
    this.random = random
    this.address = address
    this.email = `person${(names += 1)}@example.com`
  }

  get state(): AccountState {
    return this.history.at(-1) ?? NOBODY
  }

  /** Sends a random request. @throws Error if the response is incomplete; `underWay` stays set then */
  async act(server: Server): Promise<void> {
    this.server = server
    if (!this.state.exists) return this.signUp()
    if (this.token === undefined) return this.logIn()
    const title = this.state.items[Math.floor(this.random.next() * this.state.items.length)]
    const { resetToken } = this.state
    await this.random.pickWeighted<() => Promise<void>>([
      [30, () => this.addItem()],
      [title === undefined ? 0 : 15, () => this.editItem(title ?? '')],
      [title === undefined ? 0 : 15, () => this.deleteItem(title ?? '')],
      [8, () => this.changePassword()],
      [resetToken === null ? 0 : 12, () => this.reset(resetToken ?? '')],
      [6, () => this.deleteBySuperuser()],
      [8, () => (this.state.hasApp ? this.renewCodes() : this.setUpApp())],
      [this.state.hasApp ? 6 : 0, () => this.leave()],
    ])()
  }

  settle(state: AccountState): void {
    if (this.underWay && !state.exists && this.state.exists) this.gone = true
    // The token is unknown if the log-in got no response, and a reset ends the session.
    if (state.sessions !== this.state.sessions) this.token = undefined
    this.history.push(state)
    this.underWay = undefined
  }

  private async signUp(): Promise<void> {
    const password = this.newPassword()
    const json = { email: this.email, password, full_name: 'Ada Lovelace' }
    const answer = await this.change({ exists: true, password }, 'POST', '/users/signup', { json })
    if (answer) this.id = idOf(answer)
  }

  private async logIn(): Promise<void> {
    const form = { username: this.email, password: this.state.password }
    const changes = { sessions: this.state.sessions + 1 }
    const answer = this.state.hasApp
      ? await this.logInWithCode(form)
      : await this.change(changes, 'POST', '/login/access-token', { form })
    if (answer) this.token = (JSON.parse(answer.body) as { access_token: string }).access_token
  }

  private async logInWithCode(form: Record<string, string>): Promise<Reply | undefined> {
    const code = this.codes.pop()
    if (code === undefined) {
      const changes = { hasApp: false, recoveryCodes: 0, sessions: 0 }
      await this.change(changes, 'DELETE', `/users/${this.id}/second-factor`, { token: this.server.rootToken })
      return undefined
    }
    const asked = await this.send('POST', '/login/access-token', { form })
    const { second_factor } = JSON.parse(asked.body) as { second_factor?: { login: string } }
    const json = { login: second_factor?.login ?? asked.body, code }
    const changes = { sessions: this.state.sessions + 1, recoveryCodes: this.state.recoveryCodes - 1 }
    return this.change(changes, 'POST', '/login/second-factor', { json })
  }

  private async setUpApp(): Promise<void> {
    const { token } = this
    const begun = await this.send('POST', '/users/me/totp', { token })
    const { secret } = JSON.parse(begun.body) as { secret: string }
    const json = { code: totpCode(secret, Date.now()) }
    await this.receiveCodes('/users/me/totp/confirm', { token, json })
  }

  private async renewCodes(): Promise<void> {
    await this.receiveCodes('/users/me/recovery-codes', { token: this.token })
  }

  private async receiveCodes(path: string, options: RequestOptions): Promise<void> {
    this.codes = []
    const answer = await this.change({ hasApp: true, recoveryCodes: 10 }, 'POST', path, options)
    if (answer) this.codes = (JSON.parse(answer.body) as { recovery_codes: string[] }).recovery_codes
  }

  private async leave(): Promise<void> {
    const { token } = this
    const changes = { sessions: this.state.sessions - 1 }
    if (await this.change(changes, 'POST', '/logout', { token })) this.token = undefined
  }

  private async addItem(): Promise<void> {
    const title = this.newTitle()
    const items = [...this.state.items, title].toSorted()
    const answer = await this.change({ items }, 'POST', '/items/', { token: this.token, json: { title } })
    if (answer) this.itemIds.set(title, idOf(answer))
  }

  private async editItem(old: string): Promise<void> {
    const title = this.newTitle()
    const items = [...this.state.items.filter((other) => other !== old), title].toSorted()
    const id = this.itemIds.get(old) ?? ''
    const answer = await this.change({ items }, 'PUT', `/items/${id}`, { token: this.token, json: { title } })
    if (answer) this.itemIds.set(title, id)
  }

  private async deleteItem(title: string): Promise<void> {
    const items = this.state.items.filter((other) => other !== title)
    await this.change({ items }, 'DELETE', `/items/${this.itemIds.get(title)}`, { token: this.token })
  }

  private async changePassword(): Promise<void> {
    const password = this.newPassword()
    const json = { current_password: this.state.password, new_password: password }
    const changes = { ...this.withPassword(password), sessions: 1 }
    await this.change(changes, 'PATCH', '/users/me/password', { token: this.token, json })
  }

  private async reset(resetToken: string): Promise<void> {
    const password = this.newPassword()
    const json = { token: resetToken, new_password: password }
    const { isConfirmed, hasApp, recoveryCodes } = this.state
    const factors = isConfirmed ? { hasApp, recoveryCodes } : { hasApp: false, recoveryCodes: 0 }
    const changes = { ...this.withPassword(password), ...factors, sessions: 0, isConfirmed: true }
    if (await this.change(changes, 'POST', '/reset-password/', { json })) this.token = undefined
  }

  private withPassword(password: string): Partial<AccountState> {
    return { password, resetToken: null, isTold: true }
  }

  private async deleteBySuperuser(): Promise<void> {
    const changes = { ...NOBODY, isTold: this.state.isTold }
    const answer = await this.change(changes, 'DELETE', `/users/${this.id}`, { token: this.server.rootToken })
    this.gone = answer !== undefined
  }

  private send(method: string, path: string, options: RequestOptions): Promise<Reply> {
    const { url, agent } = this.server
    return ask(method, `${url}/api/v1${path}`, { ...options, agent, from: this.address })
  }

  private async change(changes: Partial<AccountState>, method: string, path: string, options: RequestOptions) {
    this.underWay = { ...this.state, ...changes }
    const answer = await this.send(method, path, options)
    if (answer.status === 200) this.history.push(this.underWay)
    else this.faults.push(`${method} ${path.replace(/[\da-f-]{36}/, 'ID')}: ${answer.status} ${answer.body}`)
    this.underWay = undefined
    return answer.status === 200 ? answer : undefined
  }

  private newPassword(): string {
    return `password ${Math.floor(this.random.next() * 1e9)}`
  }

  private newTitle(): string {
    return `item ${Math.floor(this.random.next() * 1e12)}`
  }
}

function idOf(answer: Reply): string {
  return (JSON.parse(answer.body) as { id: string }).id
}
