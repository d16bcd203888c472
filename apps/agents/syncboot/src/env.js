import { LOG_LEVELS } from '@synchub/telemetry';
import { z } from 'zod';
const PORT_RULE = 'a port from 0 to 65535, 0 for a free one';
const ENVIRONMENT = z.object({
    HOST: z.string().min(1, { error: 'an address to listen on' }).default('127.0.0.1'),
    PORT: z
        .string()
        .regex(/^[0-9]{1,5}$/, { error: PORT_RULE })
        .transform(Number)
        .refine((port) => port <= 65535, { error: PORT_RULE })
        .default(4101),
    DATA_DIR: z.string().min(1, { error: 'a folder' }).default('.synchub/syncboot'),
    SYNCHUB_AGENT_SECRET: z.string().min(1, { error: 'a secret, or not set' }).optional(),
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});
/**
 * Reads the settings from the environment.
 * @throws Error in one sentence that names the variable
 */
export function readEnv() {
    const read = ENVIRONMENT.safeParse(process.env);
    if (!read.success) {
        const [issue] = read.error.issues;
        throw new Error(`SyncBoot cannot start: the environment variable ${issue?.path.join('.')} must be ${issue?.message}`);
    }
    const { HOST: host, PORT: port, DATA_DIR: dataDir, SYNCHUB_AGENT_SECRET: secret, LOG_LEVEL: logLevel } = read.data;
    return { host, port, dataDir, ...(secret === undefined ? {} : { secret }), logLevel };
}
