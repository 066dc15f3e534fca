import { describe, expect, test } from 'vitest'
import { parseFeature } from './gherkin.ts'

const feature = `
@one @section:listen
Feature: F
  As a user I want something.

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

test('a scenario has the tags of its feature, the steps of the background, and the blocks and tables below its steps', () => {
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

test('an outline yields one scenario for each example, with its values in the name, the steps, the blocks and the tables', () => {
  const outlines = parseFeature(feature).slice(1)
  expect(outlines.map(({ name }) => name)).toEqual(['O of tea', 'O of ale', 'O of rum'])
  expect(outlines[1]?.steps).toEqual([
    { text: 'a cup', block: undefined, table: undefined },
    { text: 'ale is poured:', block: 'ale: cold', table: undefined },
    { text: 'not:', block: undefined, table: [['ale', 'x | y']] },
  ])
  expect(outlines.map(({ tags }) => tags.includes('late'))).toEqual([false, false, true])
})

test('examples of an outline without a placeholder in its name have names that end in their cells', () => {
  const text = 'Feature: F\nScenario Outline: O\nGiven <a>\nExamples:\n| a |\n| 1 |\n| 2 |'
  expect(parseFeature(text).map(({ name }) => name)).toEqual(['O (1)', 'O (2)'])
})

describe('a feature that is not understood is refused', () => {
  const scenario = (lines: string) => `Feature: F\nScenario: S\n${lines}`
  test.each([
    ['an unknown keyword', scenario('Given x\nOtherwise y'), '(4:1): expected: #EOF, #TableRow, #DocStringSeparator'],
    ['free text in a scenario', scenario('because'), 'free text in the scenario "S": because'],
    ['free text in the background', 'Feature: F\nBackground:\nbecause\nScenario: S', 'free text in the background'],
    ['text before the feature', 'hello', "got 'hello'"],
    ['a rule', 'Feature: F\nRule: R\nScenario: S', 'rules are not supported: R'],
    ['a block without an end', scenario('Given x\n"""\ny'), 'unexpected end of file'],
    ['a row without an end', scenario('Given x\n| a |\n| a'), 'inconsistent cell count'],
    ['a tag with a space', 'Feature: F\n@a b\nScenario: S', 'A tag may not contain whitespace'],
    ['tags above nothing', scenario('Given x\n@late'), 'unexpected end of file'],
    ['an outline without examples', 'Feature: F\nScenario Outline: O\nGiven <a>\nScenario: S', 'the outline "O" has no examples'],
    [
      'a step among examples',
      'Feature: F\nScenario Outline: O\nGiven <a>\nExamples:\nGiven x',
      'free text in the examples of "O": Given x',
    ],
    ['a step outside of a scenario', 'Feature: F\nGiven x\nScenario: S', 'a step outside of a scenario: Given x'],
    ['an example with too few cells', 'Feature: F\nScenario Outline: O\nGiven <a>\nExamples:\n| a | b |\n| 1 |', 'inconsistent cell count'],
  ])('%s', (_fault, text, message) => {
    expect(() => parseFeature(text)).toThrow(message)
  })
})
