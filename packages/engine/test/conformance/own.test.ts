import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { labelOf, ownScenarios, referenceAnchors } from './features.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'

// What the specification says and its own kit does not try, in the kit's own form. Each scenario names the sections of dsl-reference.md that it is about.

const stage = createStage()
afterAll(() => stage.close())

const sectionsOf = (tags: readonly string[]) => tags.filter((tag) => tag.startsWith('section:')).map((tag) => tag.slice('section:'.length))

/** Headings outside the language: of the document itself, and of lifecycle events, which have their own tests. */
const notAbout =
  /^(?:table-of-contents|abstract|definitions|properties|examples|task-lifecycle-events|.*-event|lifecycle-events|workflow-lifecycle-events)$/

describe('our own suite', () => {
  test('is there in full', () => {
    expect(ownScenarios.length).toBeGreaterThanOrEqual(160)
    expect(new Set(ownScenarios.map(labelOf)).size).toBe(ownScenarios.length)
  })
})

describeConformance('compared with the reference, our own suite', (data) => {
  const anchors = referenceAnchors(data)

  test('names, in every scenario, sections that the reference has', () => {
    const unknown = ownScenarios.flatMap(({ name, tags }) => {
      const sections = sectionsOf(tags)
      return sections.length > 0 && sections.every((section) => anchors.includes(section)) ? [] : [`${name}: ${tags.join(' ')}`]
    })
    expect(unknown).toEqual([])
  })

  test('leaves no section of the reference out', () => {
    const tried = new Set(ownScenarios.flatMap(({ tags }) => sectionsOf(tags)))
    expect(anchors.filter((anchor) => !notAbout.test(anchor) && !tried.has(anchor))).toEqual([])
  })
})

describe('a scenario of our own suite passes', () => {
  test.each(ownScenarios.map((scenario) => [labelOf(scenario), scenario] as const))('%s', async (_label, scenario) => {
    await expect(runScenario(scenario, { stage })).resolves.toBeUndefined()
  })
})
