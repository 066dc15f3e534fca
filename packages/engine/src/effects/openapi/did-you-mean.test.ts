import { expect, test } from 'vitest'
import { didYouMean } from './did-you-mean.ts'

const names = ['findPetsByStatus', 'findPetsByTags', 'getPetById', 'addPet', 'id']

test.each([
  ['findPetByStatus', 'findPetsByStatus'],
  ['findpetsbystatus', 'findPetsByStatus'],
  ['find-pets-by-tags', 'findPetsByTags'],
  ['find_pets_by_tags', 'findPetsByTags'],
  ['getPetByID', 'getPetById'],
  ['addPets', 'addPet'],
  ['ID', 'id'],
  ['it', 'id'],
])('for %s the name %s is suggested', (written, meant) => {
  expect(didYouMean(written, names)).toBe(` Did you mean "${meant}"?`)
})

test.each(['', 'deleteEverything', 'xy', 'logout'])('for %j nothing is suggested', (written) => {
  expect(didYouMean(written, names)).toBe('')
})

test('at most 2,000 names are compared', () => {
  const endless = (function* () {
    for (let index = 0; index < 3_000; index++) yield `${'x'.repeat(1_000)}${index}`
    throw new Error('every name was compared')
  })()
  expect(didYouMean('endpoint', endless)).toBe('')
})

test('a very long name costs nothing and suggests nothing', () => {
  expect(didYouMean('y'.repeat(100_000), names)).toBe('')
})
