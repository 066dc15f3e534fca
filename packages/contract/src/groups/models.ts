export { agents } from './agents.ts'
export { generation } from './generation.ts'
export { localModel } from './local-model.ts'
export { speech } from './speech.ts'
