import { JqError } from '#src/errors.ts'
import type { Ir } from '#src/lower/ir.ts'
import type { Compiler, Many, One } from './code.ts'

export function tryOne(compiler: Compiler, ir: Extract<Ir, { kind: 'try' }>): One {
  const body = compiler.one(ir.body)
  const handler = ir.handler === undefined ? undefined : compiler.one(ir.handler)
  const { machine } = compiler
  return (input, env) => {
    const { depth } = machine
    try {
      return body(input, env)
    } catch (error) {
      if (!(error instanceof JqError)) throw error
      machine.depth = depth
      return handler === undefined ? undefined : handler(error.value, env)
    }
  }
}

/** Errors of the body are caught; those of what comes after, which runs inside the same call, are not. */
export function tryMany(compiler: Compiler, ir: Extract<Ir, { kind: 'try' }>): Many {
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
