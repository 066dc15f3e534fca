import { Agent } from 'node:http'
import type { LawServer } from '#laws/operation-laws.ts'
import { curlLine } from './curl.ts'
import { type Described, readDescription } from './description.ts'
import { createFuzzFixture, type FuzzFixture } from './fuzz-fixture.ts'
import { responseViolations } from './response-violations.ts'
import { createRandom } from './random.ts'
import { readExamples } from './read-examples.ts'
import { type FuzzRequest, plainRequestOf, requestOf } from './requests.ts'
import { responseMsMax, send } from './send.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
}

export interface FuzzReport {
  /** Each with its violations, and a curl command that reproduces it. */
  readonly failures: readonly string[]
  /** How often each operation succeeded, by its id. */
  readonly successes: ReadonlyMap<string, number>
  readonly statuses: ReadonlyMap<number, number>
}

const concurrency = 8
/** Requests change and delete resources, so new accounts are made after this number of requests. */
const requestsPerFixture = 600
/** More failures give no new information. */
const failuresMax = 20

const signsOut = /[./](?:sign-?out|logout|step-?up)/i

/** Operations that take from others what they need come late: first those that delete, then those that sign out. */
function lateness({ method, path }: Described): number {
  return signsOut.test(path) ? 2 : Number(method === 'DELETE')
}

/** Sends valid and invalid requests derived from the server's own description, and checks every response against it. */
export async function fuzz(server: LawServer, { seed, requests }: FuzzOptions): Promise<FuzzReport> {
  const description = await readDescription(server.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * concurrency })
  const failures: string[] = []
  const successes = new Map<string, number>(description.operations.map(({ id }) => [id, 0]))
  const statuses = new Map<number, number>()
  // Each operation once in a way that should succeed.
  const plainFirst = description.operations.toSorted((one, other) => lateness(one) - lateness(other))
  const examples = await readExamples(server)

  async function sendOne(fixture: FuzzFixture, index: number): Promise<void> {
    const random = createRandom(seed, index)
    const plain = plainFirst[index]
    const request =
      plain === undefined
        ? requestOf(random.pick(description.operations), description, fixture, random)
        : plainRequestOf(plain, description, fixture, random)
    const token = await fixture.credentialOf(request.caller)
    const violations = await violationsIn(request, token)
    if (request.caller === 'owner' && signsOut.test(request.target)) await fixture.renewOwner()
    if (violations.length > 0)
      failures.push(
        `FC_SEED=${seed}, request ${index}, ${request.op.id}: ${violations.join('; ')}\n  ${curlLine(server.url, request, token)}`,
      )
  }

  async function violationsIn(request: FuzzRequest, token: string | undefined): Promise<readonly string[]> {
    try {
      const response = await send(server.url, agent, request, token)
      if (response === undefined) return [`no response within ${responseMsMax} ms`]
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      const { id } = request.op
      if (response.status === 200) successes.set(id, (successes.get(id) ?? 0) + 1)
      return responseViolations(request.op, response)
    } catch (error) {
      // The server may close the connection of a refused request whose body is still being sent; http-server.test.ts checks its response.
      const wasRefusedEarly = request.body !== undefined && request.body.length > 1_000_000
      return wasRefusedEarly ? [] : [`no response: ${String(error)}`]
    }
  }

  for (let first = 0; first < requests && failures.length < failuresMax; first += requestsPerFixture) {
    const fixture = await createFuzzFixture(server, examples)
    const indices = Array.from({ length: Math.min(requestsPerFixture, requests - first) }, (_, at) => first + at).values()
    const work = async () => {
      for (const index of indices) if (failures.length < failuresMax) await sendOne(fixture, index)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  agent.destroy()
  return { failures, successes, statuses }
}
