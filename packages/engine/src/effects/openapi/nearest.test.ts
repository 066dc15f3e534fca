import { describe, expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

describe('a mistyped name finds the one that was meant', () => {
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
  ])('%s', (written, meant) => {
    expect(nearest(written, names)).toBe(meant)
  })

  test.each(['', 'deleteEverything', 'xy', 'logout'])('and %j finds none', (written) => {
    expect(nearest(written, names)).toBeUndefined()
    expect(didYouMean(written, names)).toBe('')
  })

  test('as a sentence', () => {
    expect(didYouMean('addPat', names)).toBe(' Did you mean "addPet"?')
  })

  test('of two that are near the nearer, and of equals the first', () => {
    expect(nearest('abcdef', ['abcxyf', 'abcdex'])).toBe('abcdex')
    expect(nearest('abcdef', ['abcdey', 'abcdex'])).toBe('abcdey')
  })
})

test('very long names and very many are looked at in part, and soon', () => {
  const many = (function* () {
    for (let index = 0; index < 1_000_000; index++) yield `${'x'.repeat(1_000)}${index}`
    throw new Error('every name was looked at')
  })()
  expect(nearest('y'.repeat(100_000), many)).toBeUndefined()
})
