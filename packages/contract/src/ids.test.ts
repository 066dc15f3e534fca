import { expect, test } from 'vitest'
import { typeId } from './ids.ts'

test('an id is its prefix and 26 characters of base32 that fit a UUID', () => {
  expect(typeId('wf').safeParse('wf_01h455vb4pex5vsknk084sn02q').success).toBe(true)
  for (const wrong of [
    'wf_81h455vb4pex5vsknk084sn02q', // over 128 bits
    'wf_01h455vb4pex5vsknk084sn02', // short
    'wf_01H455VB4PEX5VSKNK084SN02Q', // upper case
    'wf_01h455vb4pex5vsknk084sn02u', // a letter that is left out
    'exec_01h455vb4pex5vsknk084sn02q', // another kind
    ' wf_01h455vb4pex5vsknk084sn02q',
    'wf_01h455vb4pex5vsknk084sn02q\n',
  ])
    expect(typeId('wf').safeParse(wrong).success).toBe(false)
})

test.each([
  ['usr', 'Must be the id of a user (usr_…).', 'Id of a user.'],
  ['exec', 'Must be the id of an execution (exec_…).', 'Id of an execution.'],
] as const)('a refused id of the kind %s is named in a sentence', (prefix, message, description) => {
  expect(typeId(prefix).safeParse('x').error?.issues[0]?.message).toBe(message)
  expect(typeId(prefix).meta()?.description).toBe(description)
})
