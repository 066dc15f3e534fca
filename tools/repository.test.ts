import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTexts } from './read-texts.ts'
import { checkArrows } from './rules/arrows.ts'
import { checkImportCounts, checkSizes, checkTestRatio } from './rules/budgets.ts'
import { checkDatabaseClients, checkEnvironment, checkInside, checkNoAccessorsInLiterals, checkNoParentImports } from './rules/forbidden.ts'
import { checkModules } from './rules/modules.ts'
import { treeOf } from './rules/source-tree.ts'
import { checkedTexts } from './words/checked-texts.ts'
import remaining from './words/remaining.json' with { type: 'json' }
import { checkWords } from './words/word-check.ts'
import { checkTables } from './rules/tables.ts'

const texts = readTexts(fileURLToPath(new URL('..', import.meta.url)))
const tree = treeOf(texts)

// `atLeast` is far below what there is: a rule that suddenly sees less has lost its way.
test.each([
  { law: 'imports follow the arrows of the design', check: checkArrows, atLeast: 200 },
  { law: 'modules import lower tiers by their index alone', check: checkModules, atLeast: 15 },
  { law: 'no file is long', check: checkSizes, atLeast: 200 },
  { law: 'no file imports much', check: checkImportCounts, atLeast: 400 },
  { law: 'no import climbs out of its folder', check: checkNoParentImports, atLeast: 400 },
  { law: 'no path leads out of the repository', check: checkInside, atLeast: 10 },
  { law: 'the environment is read in one place', check: checkEnvironment, atLeast: 1 },
  { law: 'clients of PostgreSQL hear their errors for their whole life', check: checkDatabaseClients, atLeast: 5 },
  { law: 'no object literal on the way of an execution has an accessor', check: checkNoAccessorsInLiterals, atLeast: 60 },
  { law: 'a table is read and written by its owner alone', check: checkTables, atLeast: 30 },
  { law: 'there is as much test as source', check: checkTestRatio, atLeast: 50 },
])('$law', ({ check, atLeast }) => {
  const { seen, violations } = check(tree)
  expect(violations).toEqual([])
  expect(seen).toBeGreaterThanOrEqual(atLeast)
})

test('code and documents contain no banned word beyond those of tools/words/remaining.json', () => {
  const checked = checkedTexts(texts)
  expect(checkWords(checked, remaining)).toEqual([])
  expect(checked.size).toBeGreaterThanOrEqual(1_000)
})
