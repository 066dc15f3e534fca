import { expect, test } from 'vitest'
import { recordChecksums } from './record-checksums.ts'

const migration = (number: number, checksum: string) => ({ number, name: `step${number}`, sql: '', checksum })

test('checksums of new migrations are added, and a recorded one that changes or goes is named', () => {
  const recorded = recordChecksums('', [migration(1, 'a')])
  const both = recordChecksums(recorded, [migration(1, 'a'), migration(2, 'b')])
  expect(both.split('\n').slice(1)).toEqual(['a  0001_step1', 'b  0002_step2', ''])
  expect(() => recordChecksums(both, [migration(1, 'a'), migration(2, 'c')])).toThrow('have changed: 0002_step2.')
  expect(() => recordChecksums(both, [migration(2, 'b')])).toThrow('have changed: 0001_step1.')
})
