import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { labelOf, ownScenarios, referenceAnchors } from './features.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'

// Scenarios for parts of the specification that its conformance kit does not test, in the format of the kit. Each names sections of dsl-reference.md.

const stage = createStage()
afterAll(() => stage.close())

const sectionsOf = (tags: readonly string[]) => tags.filter((tag) => tag.startsWith('section:')).map((tag) => tag.slice('section:'.length))

/** Headings outside the language: of the document itself, and of lifecycle events, which have their own tests. */
const uncoveredAnchors =
  /^(?:table-of-contents|abstract|definitions|properties|examples|task-lifecycle-events|.*-event|lifecycle-events|workflow-lifecycle-events)$/

describe('our own suite', () => {
  test('our own suite has at least 160 scenarios with different names', () => {
    expect(ownScenarios.length).toBeGreaterThanOrEqual(160)
    expect(new Set(ownScenarios.map(labelOf)).size).toBe(ownScenarios.length)
  })
})

describeConformance('our own suite and the reference', (data) => {
  const anchors = referenceAnchors(data)

  test('every scenario of our own suite names existing sections of the reference', () => {
    const unknown = ownScenarios.flatMap(({ name, tags }) => {
      const sections = sectionsOf(tags)
      return sections.length > 0 && sections.every((section) => anchors.includes(section)) ? [] : [`${name}: ${tags.join(' ')}`]
    })
    expect(unknown).toEqual([])
  })

  test('our own suite covers every section of the reference', () => {
    const covered = new Set(ownScenarios.flatMap(({ tags }) => sectionsOf(tags)))
    expect(anchors.filter((anchor) => !uncoveredAnchors.test(anchor) && !covered.has(anchor))).toEqual([])
  })
})

describe('a scenario of our own suite passes', () => {
  test.each(ownScenarios.map((scenario) => [labelOf(scenario), scenario] as const))('%s', async (_label, scenario) => {
    await expect(runScenario(scenario, { stage })).resolves.toBeUndefined()
  })
})
