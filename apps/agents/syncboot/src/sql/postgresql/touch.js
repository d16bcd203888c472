/**
 * The statements that keep `updated_at` current: PostgreSQL's equal of MySQL's `ON UPDATE CURRENT_TIMESTAMP`, with the same
 * two exceptions. A row that ends as it was is not touched, nor is one whose `updated_at` the statement itself sets to another
 * time. Rows are compared as text, since `IS DISTINCT FROM` fails on a row with a JSON column. The function is one for all
 * tables and may be made again; a trigger's name is its table's own.
 */
export function createTouch(tableName) {
    return [
        `CREATE OR REPLACE FUNCTION syncboot_touch_updated_at() RETURNS TRIGGER AS $$
BEGIN
  IF NEW.updated_at = OLD.updated_at THEN
    NEW.updated_at = CURRENT_TIMESTAMP;
  END IF;
  RETURN NEW;
END;
$$ LANGUAGE plpgsql;`,
        `CREATE TRIGGER touch_updated_at BEFORE UPDATE ON ${tableName} FOR EACH ROW
  WHEN (OLD::text <> NEW::text) EXECUTE FUNCTION syncboot_touch_updated_at();`,
    ];
}
/** The statement that stops keeping `updated_at` current. */
export function dropTouch(tableName) {
    return `DROP TRIGGER touch_updated_at ON ${tableName};`;
}
