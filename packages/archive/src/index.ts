export { archiveName, readArchiveFile, type WrittenArchive, writeArchive } from './archive-folder.js'
export type { ArchivedEvent, ArchiveSource, ArchiveWriter } from './archive-source.js'
