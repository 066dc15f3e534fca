import { expect, test } from 'vitest'
import { editedAt } from './edited-at.ts'

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057'

test('what a chain is compiled to is changed on the page of the chain, any other workflow in the editor', () => {
  const named = (namespace: string, name: string) => editedAt('wf_1', { document: { namespace, name } })
  // The pair of the specification of TypeID.
  expect(named('millrace-chains', `chain-${uuid}`)).toBe('/chains/chn_01h455vb4pex5vsknk084sn02q')
  expect(named('default', `chain-${uuid}`)).toBe('/workflows/wf_1')
  expect(named('millrace-chains', 'mine')).toBe('/workflows/wf_1')
  expect(editedAt('wf_1', undefined)).toBe('/workflows/wf_1')
})
