import { describe, expect, test } from 'vitest'
import { parseFeature } from './gherkin.ts'

const feature = `
@one @section:listen
Feature: F
  As somebody I want something.

  Background:
    Given a cup

  # not read
  @two
  @three
  Scenario: S
    When given tea
    And milk:
      """yaml
      a: 1
        b: |
      """
    Then it is hot

  Scenario Outline: O of <what>
    When <what> is poured:
      """
      <what>: <how>
      """
    But not:
      | <what> | x \\| y |

    Examples:
      | what | how  |
      | tea  | hot  |
      | ale  | cold |

    @late
    Examples: more
      | what | how |
      | rum  |     |
`

test('scenarios are read with their tags, the background and what stands below their steps', () => {
  const [first] = parseFeature(feature)
  expect(first).toEqual({
    feature: 'F',
    name: 'S',
    tags: ['one', 'section:listen', 'two', 'three'],
    steps: [
      { text: 'a cup', block: undefined, table: undefined },
      { text: 'tea', block: undefined, table: undefined },
      { text: 'milk:', block: 'a: 1\n  b: |', table: undefined },
      { text: 'it is hot', block: undefined, table: undefined },
    ],
  })
})

test('an outline is a scenario for each of its examples, filled in everywhere', () => {
  const outlines = parseFeature(feature).slice(1)
  expect(outlines.map(({ name }) => name)).toEqual(['O of tea', 'O of ale', 'O of rum'])
  expect(outlines[1]?.steps).toEqual([
    { text: 'a cup', block: undefined, table: undefined },
    { text: 'ale is poured:', block: 'ale: cold', table: undefined },
    { text: 'not:', block: undefined, table: [['ale', 'x | y']] },
  ])
  expect(outlines.map(({ tags }) => tags.includes('late'))).toEqual([false, false, true])
})

test('an outline whose name does not tell its examples apart gets their cells', () => {
  const text = 'Feature: F\nScenario Outline: O\nGiven <a>\nExamples:\n| a |\n| 1 |\n| 2 |'
  expect(parseFeature(text).map(({ name }) => name)).toEqual(['O (1)', 'O (2)'])
})

describe('what is not understood is refused', () => {
  const scenario = (lines: string) => `Feature: F\nScenario: S\n${lines}`
  test.each([
    ['a line of another kind', scenario('Given x\nOtherwise y'), 'not understood: Otherwise y'],
    ['free text in a scenario', scenario('because'), 'not understood: because'],
    ['text before the feature', 'hello', 'not understood: hello'],
    ['a rule', 'Feature: F\nScenario: S\nRule: R', 'not understood: Rule: R'],
    ['a block without an end', scenario('Given x\n"""\ny'), 'has no end'],
    ['a block below no step', scenario('"""\ny\n"""'), 'below no step'],
    ['a table below no step', scenario('| a |'), 'below no step'],
    ['a row without an end', scenario('Given x\n| a'), 'has no end'],
    ['a step outside of a scenario', 'Feature: F\nGiven x', 'outside of a scenario'],
    ['a tag that is none', 'Feature: F\n@a b\nScenario: S', 'no tag: b'],
    ['tags above nothing', scenario('Given x\n@late'), 'above nothing'],
    ['an outline without examples', 'Feature: F\nScenario Outline: O\nGiven <a>\nScenario: S', 'has no examples'],
    ['examples below no outline', `${scenario('Given x')}\nExamples:\n| a |`, 'below no outline'],
    ['a step among examples', 'Feature: F\nScenario Outline: O\nGiven <a>\nExamples:\nGiven x', 'not understood: Given x'],
    ['an example with too few cells', 'Feature: F\nScenario Outline: O\nGiven <a>\nExamples:\n| a | b |\n| 1 |', 'has 1 cells for 2 names'],
  ])('%s', (_what, text, message) => {
    expect(() => parseFeature(text)).toThrow(message)
  })
})
