export { type AnchorProof, type AnchorReport, checkAnchor, cosignedAt, hashAnchor, hashAnchored, parseWitnessKey } from './anchor.ts'
export { type AuditEntry, bytesOf, commitmentOf, type DayLink, hashEntry, hashFirstLeaf, isErased } from './audit-entry.ts'
export {
  changedStates,
  type ChangeSide,
  commitmentOfState,
  type RevealedChanges,
  type RevealedState,
} from './changes.ts'
export {
  type AuditFinding,
  type CheckDeps,
  createDayCheck,
  type DayReport,
  findingKinds,
  type StoredDay,
  type StoredLeaf,
} from './check-day.ts'
export {
  type Checkpoint,
  checkpointText,
  fromBase64,
  fromHex,
  noteKeyId,
  type NoteKey,
  parseCheckpoint,
  parseVerifierKey,
  signatureBy,
  signedNote,
  toBase64,
  toHex,
  verifierKey,
} from './checkpoint.ts'
export {
  appendLeaf,
  emptyTree,
  type Hash,
  hashLeaf,
  isSame,
  proveConsistency,
  proveInclusion,
  rootOf,
  rootOfLeaves,
  stateOf,
  type TreeState,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'
export { differencesFromLog, erasureMarksIn, hasErasureMark, type StatedExecution } from './receipt-log.ts'
