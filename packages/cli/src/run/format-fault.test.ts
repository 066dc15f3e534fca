import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { checkDefinition } from '#definitions/check-definition.ts'
import { type WorkflowBundle, collectBundle } from '#definitions/workflow-bundle.ts'
import { type LoadedDefinition, loadDefinition } from '#definitions/load-definition.ts'
import { tasksIn } from '#definitions/tasks-in.ts'
import { createPaint } from '#terminal/paint.ts'
import { definition } from '#testing/definitions.ts'
import { createFaultOrigin } from './fault-origin.ts'
import { formatFault, placeOf } from './format-fault.ts'

const plain = createPaint(new PassThrough())

function load(file: string, text: string): LoadedDefinition {
  const loaded = loadDefinition(checkDefinition(file, text))
  if (loaded === undefined) throw new Error(`${file} of the test is wrong`)
  return loaded
}

const asks = (name: string, asked: string): string =>
  definition(`- ${name}Asks:\n    run: { workflow: { namespace: test, name: ${asked}, version: latest } }`, { name })
const root = load('root.yaml', asks('root', 'child'))
const child = load('child.yaml', asks('child', 'grandchild'))
const grandchild = load('grandchild.yaml', definition('- prepare: { set: { a: 1 } }\n- break: { set: { a: 1 } }', { name: 'grandchild' }))
const bundle = await collectBundle(root, [child, grandchild])

const error = { type: 'https://e.com/e', status: 500, title: 'Broken' }

function originOf(instance: string | undefined, of: WorkflowBundle): LoadedDefinition | undefined {
  const [node] = tasksIn(root.workflow)
  if (node === undefined) throw new Error('the root has no task')
  const origin = createFaultOrigin()
  origin.faulted(node, instance === undefined ? error : { ...error, instance })
  return origin.workflowIn(of)
}

describe('an error comes from', () => {
  test('a fault of the root has no child as its origin', () => {
    expect(originOf('/do/0/rootAsks', bundle)).toBeUndefined()
    expect(createFaultOrigin().workflowIn(bundle)).toBeUndefined()
  })

  test('a fault that passed through a run task originates in the child', () => {
    expect(originOf('/do/0/childAsks', bundle)).toBe(child)
  })

  test('a fault of a grandchild originates in the grandchild', () => {
    expect(originOf('/do/1/break', bundle)).toBe(grandchild)
  })

  test('an instance that no workflow contains belongs to the child', () => {
    expect(originOf('/do/7/nowhere', bundle)).toBe(child)
  })

  test('a fault originates in the innermost task, although it passes through the tasks around it', () => {
    const [inner] = tasksIn(root.workflow)
    const [outer] = tasksIn(grandchild.workflow)
    if (inner === undefined || outer === undefined) throw new Error('no tasks')
    const origin = createFaultOrigin()
    const raised = { ...error, instance: '/do/0/childAsks' }
    origin.faulted(inner, raised)
    origin.faulted(outer, raised)
    expect(origin.workflowIn(bundle)).toBe(child)
  })
})

describe('the place of an error', () => {
  test('the position of an error is the key of its task', () => {
    expect(placeOf({ ...error, instance: '/do/1/break' }, bundle, grandchild)).toMatchObject({
      file: 'grandchild.yaml',
      line: 4,
      column: 5,
      task: 'break',
      workflow: 'test/grandchild:1.0.0',
    })
  })

  test('the position of an error of the workflow is the nearest existing value', () => {
    expect(placeOf({ ...error, instance: '/' }, bundle, undefined)).toMatchObject({ file: 'root.yaml', line: 1, task: undefined })
    expect(placeOf(error, bundle, undefined)).toMatchObject({ file: 'root.yaml', line: 1 })
    expect(placeOf({ ...error, instance: '/do/9/gone' }, bundle, undefined)).toMatchObject({ file: 'root.yaml' })
  })

  test('a task name is shown without the escapes of the pointer', () => {
    const odd = load('odd.yaml', definition('- "a/b~c": { set: { a: 1 } }', { name: 'odd' }))
    const place = placeOf({ ...error, instance: '/do/0/a~1b~0c' }, { ...bundle, root: odd }, undefined)
    expect(place.task).toBe('a/b~c')
  })
})

test('absent properties of a fault are not printed', () => {
  const place = placeOf({ ...error, instance: '/do/0/rootAsks' }, bundle, undefined)
  const text = formatFault(error, place, 1500, plain)
  expect(text).toMatch(/^✗ faulted after 1\.5 s: Broken \(500\)\n/)
  expect(text).not.toContain('detail')
  expect(text).not.toContain('instance')
  expect(text).not.toContain('workflow ')
  expect(text).toContain('at        root.yaml:3:5, task "rootAsks"')
})

test('control characters of an error do not reach the terminal', () => {
  const place = placeOf(error, bundle, undefined)
  const text = formatFault({ ...error, title: 'a\u001b[2Jb', detail: 'c\u009bd' }, place, 0, plain)
  expect(text).toContain('a\\u001b[2Jb')
  expect(text).toContain('c\\u009bd')
})
