import { validateDefinition } from '@millrace/dsl'
import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import { unsupportedIn, UnsupportedError } from '#compile/unsupported.ts'
import { exampleNames, exampleScenarios, exampleText, labelOf } from './features.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'

// The official examples: each runs as described in `examples.feature`, or is refused with the positions of the unsupported features.

const stage = createStage()
afterAll(() => stage.close())

/** The examples that cannot run here, and the feature for which each is refused. */
const lackingFeatures = {
  'call asyncapi': [
    'call-asyncapi-publish.yaml',
    'call-asyncapi-subscribe-consume-amount.yaml',
    'call-asyncapi-subscribe-consume-forever-foreach.yaml',
    'call-asyncapi-subscribe-consume-until.yaml',
    'call-asyncapi-subscribe-consume-while.yaml',
  ],
  'call grpc': ['call-grpc.yaml'],
  'MCP over stdio': ['call-mcp.yaml'],
  'run container': [
    'run-container-cleanup-always.yaml',
    'run-container-cleanup-eventually.yaml',
    'run-container-stdin-and-arguments.yaml',
    'run-container-with-name.yaml',
    'run-container-with-pull-policy.yaml',
    'run-container.yaml',
    'run-return-all.yaml',
    'run-return-code.yaml',
    'run-return-none.yaml',
    'run-return-stderr.yaml',
  ],
  'run shell': ['run-shell-stdin-and-arguments.yaml'],
}

describeConformance('the official examples', (data) => {
  const names = exampleNames(data)
  const examples = names.flatMap((name) => {
    const { definition } = validateDefinition(exampleText(name), {})
    // Functions at a URL are not fetched here.
    return definition === undefined ? [] : [{ name, definition, lacking: unsupportedIn(definition, { resources: {} }) }]
  })
  const refused = examples.filter(({ lacking }) => lacking.length > 0)

  test('every official example is valid', () => {
    expect(examples.map(({ name }) => name)).toEqual(names)
  })

  test('exactly the official examples with unsupported features cannot run', () => {
    expect(refused.map(({ name }) => name)).toEqual(Object.values(lackingFeatures).flat().toSorted())
  })

  test('every official example that can run has a scenario', () => {
    const run = new Set(exampleScenarios.flatMap(({ steps }) => steps.map(({ text }) => /^the official example (\S+)$/.exec(text)?.[1])))
    const others = examples.filter(({ lacking }) => lacking.length === 0).map(({ name }) => name)
    expect(others.filter((name) => !run.has(name))).toEqual([])
  })

  describe('an official example has the expected result', () => {
    test.each(exampleScenarios.map((scenario) => [labelOf(scenario), scenario] as const))('%s', async (_label, scenario) => {
      await expect(runScenario(scenario, { stage })).resolves.toBeUndefined()
    })
  })

  describe('an official example that cannot run is refused with all places', () => {
    test.each(refused)('$name', ({ definition, lacking }) => {
      expect(() => compileWorkflow(definition)).toThrow(UnsupportedError)
      for (const { pointer, what } of lacking) {
        expect(pointer).toMatch(/^\/(do|use|input|output|evaluate)\//)
        expect(what).not.toBe('')
      }
    })
  })
})
