import { JqError } from '#src/errors.ts'
import type { Ir } from '#src/lower/ir.ts'
import { index, slice } from '#src/paths/access.ts'
import { negate } from '#src/values/arithmetic.ts'
import { truthy } from '#src/values/value.ts'
import { formatValue } from '#src/text/format.ts'
import { forgiving } from './access-one.ts'
import { bindMany } from './bind.ts'
import { asMany, nativeMany } from './call-native.ts'
import { callMany, parameterMany } from './call.ts'
import type { Break, Compiler, Emit, Many } from './code.ts'
import { asLoop, elementsOf, loopMany } from './collect.ts'
import { foreachMany, reduceMany } from './loops.ts'
import { grow, work } from './machine.ts'
import { objectMany } from './object.ts'
import { operations } from './operators.ts'
import { assignMany } from './update.ts'

/** Compiles a node into a stream that hands each output to a consumer, which can ask it to stop. */
export function compileMany(compiler: Compiler, ir: Ir): Many {
  if (ir.count === 'maybe') return asMany(compiler.one(ir))
  switch (ir.kind) {
    case 'string':
      return stringMany(compiler, ir)
    case 'index':
    case 'slice':
      return accessMany(compiler, ir)
    case 'iterate':
      return iterateMany(compiler, ir)
    case 'try':
      return tryMany(compiler, ir)
    case 'negate': {
      const operand = compiler.many(ir.operand)
      return (input, env, emit) => operand(input, env, (value) => emit(negate(value)))
    }
    case 'pipe':
      return pipeMany(compiler, ir)
    case 'comma': {
      const items = ir.items.map(compiler.many)
      return (input, env, emit) => {
        for (const item of items) if (item(input, env, emit)) return true
        return false
      }
    }
    case 'binary': {
      const left = compiler.many(ir.left)
      const right = compiler.many(ir.right)
      const operation = operations[ir.operator]
      const { machine } = compiler
      return (input, env, emit) => right(input, env, (b) => left(input, env, (a) => emit(operation(machine, a, b))))
    }
    case 'logic':
      return logicMany(compiler, ir)
    case 'alternative':
      return alternativeMany(compiler, ir)
    case 'if': {
      const condition = compiler.many(ir.condition)
      const yes = compiler.many(ir.yes)
      const no = compiler.many(ir.no)
      return (input, env, emit) => condition(input, env, (decision) => (truthy(decision) ? yes : no)(input, env, emit))
    }
    case 'object':
      return objectMany(compiler, ir)
    default:
      return referenceMany(compiler, ir)
  }
}

function referenceMany(compiler: Compiler, ir: Ir): Many {
  switch (ir.kind) {
    case 'reduce':
      return reduceMany(compiler, ir)
    case 'foreach':
      return foreachMany(compiler, ir)
    case 'bind':
      return bindMany(compiler, ir)
    case 'label': {
      const body = compiler.many(ir.body)
      return (input, env, emit) => {
        const slot: Break = { label: 'break' }
        const { depth } = compiler.machine
        try {
          return body(input, { slot, up: env }, emit)
        } catch (thrown) {
          if (thrown !== slot) throw thrown
          compiler.machine.depth = depth
          return false
        }
      }
    }
    case 'parameter':
      return parameterMany(compiler, ir.up)
    case 'assign':
      return assignMany(compiler, ir)
    case 'call':
      return callMany(compiler, ir)
    case 'native':
      return nativeMany(compiler, ir)
    default:
      throw new Error(`A ${ir.kind} has one output`)
  }
}

function stringMany(compiler: Compiler, ir: Extract<Ir, { kind: 'string' }>): Many {
  const { machine } = compiler
  const { format } = ir
  const parts = ir.parts.map((part) => (typeof part === 'string' ? part : compiler.many(part)))
  return (input, env, emit) => {
    // The last interpolation changes slowest.
    const before = (at: number, text: string): boolean => {
      const part = parts[at - 1]
      if (part === undefined) {
        grow(machine, text.length)
        return emit(text)
      }
      if (typeof part === 'string') return before(at - 1, part + text)
      return part(input, env, (value) => before(at - 1, formatValue(machine, format, value) + text))
    }
    return before(parts.length, '')
  }
}

function accessMany(compiler: Compiler, ir: Extract<Ir, { kind: 'index' | 'slice' }>): Many {
  const target = compiler.many(ir.target)
  const emitAccess = (access: () => ReturnType<typeof index>, emit: Emit): boolean => {
    const value = ir.optional ? forgiving(access) : access()
    return value === undefined ? false : emit(value)
  }
  if (ir.kind === 'index') {
    const key = compiler.many(ir.key)
    return (input, env, emit) => key(input, env, (at) => target(input, env, (container) => emitAccess(() => index(container, at), emit)))
  }
  const from = compiler.many(ir.from)
  const to = compiler.many(ir.to)
  return (input, env, emit) =>
    from(input, env, (start) =>
      to(input, env, (end) => target(input, env, (container) => emitAccess(() => slice(container, start, end), emit))),
    )
}

function iterateMany(compiler: Compiler, ir: Extract<Ir, { kind: 'iterate' }>): Many {
  const loop = asLoop(compiler, ir)
  if (loop !== undefined) return loopMany(compiler, loop)
  const { machine } = compiler
  const target = compiler.many(ir.target)
  const { optional } = ir
  return (input, env, emit) =>
    target(input, env, (container) => {
      if (optional && (typeof container !== 'object' || container === null)) return false
      const elements = elementsOf(container)
      work(machine, elements.length)
      for (const element of elements) if (emit(element ?? null)) return true
      return false
    })
}

function pipeMany(compiler: Compiler, ir: Extract<Ir, { kind: 'pipe' }>): Many {
  const loop = asLoop(compiler, ir)
  if (loop !== undefined) return loopMany(compiler, loop)
  const left = compiler.many(ir.left)
  if (ir.right.count === 'many') {
    const right = compiler.many(ir.right)
    return (input, env, emit) => left(input, env, (value) => right(value, env, emit))
  }
  const right = compiler.one(ir.right)
  return (input, env, emit) =>
    left(input, env, (value) => {
      const result = right(value, env)
      return result === undefined ? false : emit(result)
    })
}

/** Errors of the body are caught; those of what comes after, which runs inside the same call, are not. */
function tryMany(compiler: Compiler, ir: Extract<Ir, { kind: 'try' }>): Many {
  const { machine } = compiler
  const body = compiler.many(ir.body)
  const handler = ir.handler === undefined ? undefined : compiler.many(ir.handler)
  return (input, env, emit) => {
    let inside = true
    const { depth } = machine
    try {
      return body(input, env, (value) => {
        inside = false
        const stopped = emit(value)
        inside = true
        return stopped
      })
    } catch (error) {
      if (!inside || !(error instanceof JqError)) throw error
      machine.depth = depth
      return handler === undefined ? false : handler(error.value, env, emit)
    }
  }
}

function logicMany(compiler: Compiler, ir: Extract<Ir, { kind: 'logic' }>): Many {
  const left = compiler.many(ir.left)
  const right = compiler.many(ir.right)
  const decided = ir.operator === 'or'
  return (input, env, emit) => left(input, env, (a) => (truthy(a) === decided ? emit(decided) : right(input, env, (b) => emit(truthy(b)))))
}

/** All true outputs of the left side, or those of the right side when there is none. */
function alternativeMany(compiler: Compiler, ir: Extract<Ir, { kind: 'alternative' }>): Many {
  const left = compiler.many(ir.left)
  const right = compiler.many(ir.right)
  return (input, env, emit) => {
    let found = false
    const stopped = left(input, env, (value) => {
      if (!truthy(value)) return false
      found = true
      return emit(value)
    })
    return stopped || (!found && right(input, env, emit))
  }
}
