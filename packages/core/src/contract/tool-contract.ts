import { createHash } from 'node:crypto'
import type { Tool } from '@synchub/protocol'
import canonicalize from 'canonicalize'
import { compileSchema, type SchemaCheck } from './schema-compiler.js'

/** What the hub holds a tool to: arguments going in, the structured result coming out. */
export interface ToolContract {
  readonly revision: string
  readonly checkArguments: SchemaCheck
  /** Absent where the tool promises no structured result. */
  readonly checkResult?: SchemaCheck
}

/** Digest of a tool's name and schemas: the revision that a call is checked against. */
export function toolRevision({ name, inputSchema, outputSchema }: Tool): string {
  const text = canonicalize({ name, inputSchema, outputSchema: outputSchema ?? null }) ?? ''
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Compiles the contracts of tools, each revision once. */
export interface ContractBook {
  /** @throws SchemaError when a schema of the tool cannot be used */
  contractOf(tool: Tool, revision: string): ToolContract
}

/** A book that keeps at most `maxContracts` compiled contracts, the last used ones. */
export function createContractBook(maxContracts = 1000): ContractBook {
  const contracts = new Map<string, ToolContract>()
  return {
    contractOf(tool, revision) {
      const known = contracts.get(revision)
      if (known !== undefined) return known
      const contract: ToolContract = {
        revision,
        checkArguments: compileSchema(tool.inputSchema),
        ...(tool.outputSchema === undefined ? {} : { checkResult: compileSchema(tool.outputSchema) }),
      }
      const oldest = contracts.keys().next()
      if (contracts.size >= maxContracts && oldest.done !== true) contracts.delete(oldest.value)
      contracts.set(revision, contract)
      return contract
    },
  }
}
