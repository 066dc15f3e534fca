import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kitScenarios, labelOf } from './features.ts'
import { parseFeature } from './gherkin.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

// The conformance kit of the Open Workflow Specification, run as it is written against a stand-in for the two hosts that it calls.

let standIn: StandIn
const stage = createStage()
beforeAll(async () => {
  standIn = await startStandIn()
})
afterAll(async () => {
  await standIn.close()
  await stage.close()
})

describeConformance('the conformance kit', (data) => {
  const scenarios = kitScenarios(data)

  test('the conformance kit has all its 21 scenarios', () => {
    expect(scenarios).toHaveLength(21)
  })

  test.each(scenarios.map((scenario) => [labelOf(scenario), scenario] as const))('%s passes', async (_label, scenario) => {
    await expect(runScenario(scenario, { stage, functions: standIn.functions })).resolves.toBeUndefined()
  })

  test('the scenarios of the kit request exactly the resources that they name, from both hosts', async () => {
    const own = await startStandIn()
    try {
      for (const scenario of scenarios) await runScenario(scenario, { stage, functions: own.functions })
      expect(new Set(own.asked)).toEqual(
        new Set([
          'petstore.swagger.io/v2/pet/findByStatus',
          'petstore.swagger.io/v2/swagger.json',
          'petstore.swagger.io/v2/pet/1',
          'petstore.swagger.io/v2/pet/2',
          'petstore.swagger.io/v2/pet/getPetByName/Milou',
          'httpbin.org/basic-auth/serverless-workflow/conformance-test',
        ]),
      )
    } finally {
      await own.close()
    }
  })
})

describe('the outcome of a check', () => {
  const scenario = (then: string, block = '') => {
    const steps = `Given a workflow with definition:\n"""yaml\ndo: [{ a: { set: { x: [1, 2] } } }, { b: { set: '\${ . }' } }]\n"""\nWhen the workflow is executed\nThen ${then}\n${block}`
    const [parsed] = parseFeature(`Feature: F\nScenario: S\n${steps}`)
    if (parsed === undefined) throw new Error('no scenario')
    return runScenario(parsed, { stage, functions: standIn.functions })
  }
  const yaml = (text: string) => `"""yaml\n${text}\n"""`

  test.each([
    ['the workflow should complete with output:', yaml('x: [ 1 ]')],
    ['the workflow should complete with output:', yaml('x: [ 1, 2 ]\ny: 1')],
    ['the workflow should complete with output:', yaml('{}')],
    ['the workflow should fault', ''],
    ['the workflow should fault with error:', yaml('status: 400')],
    [`the workflow output should have properties 'x', 'y'`, ''],
    [`the workflow output should have a 'x' property with value:`, yaml('[ 2 ]')],
    [`the workflow output should have a 'x' property containing 1 items`, ''],
    ['b should run first', ''],
    ['a should run last', ''],
    ['a should run after b', ''],
    ['b should run after missing', ''],
    ['the workflow should do something else', ''],
  ])('a scenario fails if this check is false: %s', async (then, block) => {
    await expect(scenario(then, block)).rejects.toThrow(/./)
  })

  test.each([
    ['the workflow should complete', ''],
    ['the workflow should complete with output:', yaml('x: [ 1, 2 ]')],
    [`the workflow output should have properties 'x'`, ''],
    [`the workflow output should have a 'x' property containing 2 items`, ''],
    ['a should run first', ''],
    ['b should run after a', ''],
  ])('a scenario passes if this check is true: %s', async (then, block) => {
    await expect(scenario(then, block)).resolves.toBeUndefined()
  })
})
