import { Agent } from 'node:http'
import { Api } from '../../tests/support/api.ts'
import { addressOf } from '../../tests/support/http.ts'
import { Person, type Server } from './person.ts'
import type { Random } from '../../tests/support/random.ts'

/** People who write at the same time. A new person replaces each one whose account is deleted. */
export class Crowd {
  readonly people: Person[] = []
  private readonly present: Person[]
  private readonly random: Random
  private rootToken: string | undefined
  acknowledged = 0

  constructor(size: number, random: Random) {
    this.random = random
    this.present = Array.from({ length: size }, () => this.newcomer())
  }

  get members(): Person[] {
    return this.present.filter(({ state }) => state.exists)
  }

  get faults(): string[] {
    return this.people.flatMap(({ faults }) => faults)
  }

  async write(url: string, enough: () => boolean): Promise<void> {
    this.rootToken ??= (await Api.ofSuperuser(url)).token
    const agent = new Agent({ keepAlive: true })
    const server: Server = { url, agent, rootToken: this.rootToken }
    await Promise.all(this.present.map((_, place) => this.writeAt(place, server, enough)))
    agent.destroy()
  }

  private async writeAt(place: number, server: Server, enough: () => boolean): Promise<void> {
    while (!enough()) {
      let person = this.present[place]
      if (!person || person.gone) this.present[place] = person = this.newcomer()
      try {
        await person.act(server)
        this.acknowledged += 1
      } catch {
        return
      }
    }
  }

  private newcomer(): Person {
    const person = new Person(this.random, addressOf(this.people.length))
    this.people.push(person)
    return person
  }
}
