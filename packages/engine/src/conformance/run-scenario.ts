import { expect } from 'vitest'
import { parse } from 'yaml'
import { isObject, type Json, parseJson } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports.ts'
import { type Ran, runDefinition } from '#testing/run-definition.ts'
import type { Scenario } from './gherkin.ts'

type Check = (ran: Ran, block: Json, ...given: readonly string[]) => void

/** The sentences that the kit uses after a workflow was executed. */
const checks: readonly (readonly [sentence: RegExp, check: Check])[] = [
  [/^the workflow should complete$/, (ran) => expect(ran).toMatchObject({ state: 'completed' })],
  [
    /^the workflow should complete with output:$/,
    (ran, block) => {
      expect(ran).toMatchObject({ state: 'completed' })
      expect(ran.output).toEqual(block)
    },
  ],
  [/^the workflow should fault$/, (ran) => expect(ran).toMatchObject({ state: 'faulted' })],
  [/^the workflow should fault with error:$/, (ran, block) => expect(ran).toMatchObject({ state: 'faulted', error: block })],
  [
    /^the workflow output should have properties (.*)$/,
    (ran, _block, names = '') => {
      for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) expect(at(ran.output, name), name).toBeDefined()
    },
  ],
  [
    /^the workflow output should have an? '([^']+)' property with value:$/,
    (ran, block, name = '') => expect(at(ran.output, name)).toEqual(block),
  ],
  [
    /^the workflow output should have an? '([^']+)' property containing (\d+) items$/,
    (ran, _block, name = '', count = '') => expect(at(ran.output, name)).toHaveLength(Number(count)),
  ],
  [/^(\S+) should run first$/, (ran, _block, name) => expect(ran.completed[0]).toBe(name)],
  [/^(\S+) should run last$/, (ran, _block, name) => expect(ran.completed.at(-1)).toBe(name)],
  [
    /^(\S+) should run after (\S+)$/,
    (ran, _block, later = '', earlier = '') => {
      expect(ran.completed).toContain(earlier)
      expect(ran.completed.indexOf(later)).toBeGreaterThan(ran.completed.indexOf(earlier))
    },
  ],
]

/** Runs a scenario as it is written; throws where it does not hold, or has a sentence that nobody knows. */
export async function runScenario(scenario: Scenario, functions: Readonly<Record<string, EffectFunction>>): Promise<void> {
  let definition: string | undefined
  let input: Json = {}
  let ran: Ran | undefined
  for (const { text, block } of scenario.steps) {
    if (text === 'a workflow with definition:') definition = block
    else if (text === 'the workflow input is:') input = fromYaml(block)
    else if (text === 'the workflow is executed') ran = await runDefinition(definition ?? '', { input, functions })
    else {
      const known = checks.find(([sentence]) => sentence.test(text))
      if (known === undefined || ran === undefined) throw new Error(`no such sentence: ${text}`)
      const [sentence, check] = known
      check(ran, fromYaml(block), ...(sentence.exec(text) ?? []).slice(1))
    }
  }
}

function fromYaml(block: string | undefined): Json {
  return block === undefined ? null : parseJson(JSON.stringify(parse(block)))
}

/** The member at a path of names with dots between them. */
function at(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const name of path.split('.')) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}
