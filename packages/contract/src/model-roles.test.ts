import { expect, test } from 'vitest'
import { modelRoles, noModelText, roleWithoutModel } from './model-roles.ts'

test('the role is read from an error that names it as one without a model, and from no other one', () => {
  expect(modelRoles.map((role) => roleWithoutModel(`There is ${noModelText(role)}. Add one.`))).toEqual(modelRoles)
  expect([roleWithoutModel('There is no workflow with the name "strong".'), roleWithoutModel(undefined)]).toEqual([undefined, undefined])
})
