// What reads expressions, behind one module that is loaded when it is needed.
export { inputUses } from '@millrace/dsl'
