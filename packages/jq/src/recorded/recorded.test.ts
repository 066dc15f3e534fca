import { expect, test } from 'vitest'
import { confirmedForEachType } from '#src/testing/confirmed.ts'
import { type RecordedCase, type RecordedMessages, deviations, readGroups, recordedCases, recordedMessages } from '#src/testing/recorded.ts'
import { recordings } from '#src/testing/recordings.ts'

const cases = readGroups<RecordedCase>(recordedCases)

test('every recording has recorded cases', () => {
  expect([...cases.keys()]).toEqual(recordings.map(({ name }) => name))
  expect([...cases.values()].flat()).toHaveLength(12_375)
})

test.each(recordings)('$title', ({ name }) => {
  expect(deviations(cases.get(name) ?? [])).toEqual([])
})

for (const [group, messages] of readGroups<RecordedMessages>(recordedMessages)) confirmedForEachType(group, messages)
