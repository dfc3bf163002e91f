/** Takes over a file of version 1, which had sample data only, in SQLite, and balances without entries. */

export const setSampleDataAside = `
  DROP TABLE customer_search;
  DROP INDEX customers_by_email;
  ALTER TABLE businesses RENAME TO old_businesses;
  ALTER TABLE customers RENAME TO old_customers;
  ALTER TABLE rewards RENAME TO old_rewards;
  ALTER TABLE codes RENAME TO old_codes;
`

/** Codes were unique within a business: of equal ones, which are sample codes, the first business keeps its own. */
export const copySampleData = `
  INSERT INTO businesses
    SELECT business, 'usr_training' || printf('%04d', business),
      CASE business WHEN 1 THEN 'Café Meltemi' WHEN 2 THEN 'Φούρνος Ανεμώνη' WHEN 3 THEN 'Bistro Kéfi'
        WHEN 4 THEN 'Ζαχαροπλαστείο Γαρδένια' ELSE 'Café Meltemi ' || business END,
      'Europe/Athens', 'Growth', 'monthly', 'Οδός Μελτεμιού ' || (10 + 2 * business), 'Αθήνα', 'Αττική', 'Greece',
      '105 57', 3650, customers, customers, strftime('%Y-%m-%dT%H:%M:%fZ')
    FROM old_businesses;
  INSERT INTO tokens (id, business, hash, name, created_at)
    SELECT 'till_' || lower(hex(randomblob(8))), business, token_hash, 'Sample data', strftime('%Y-%m-%dT%H:%M:%fZ')
    FROM old_businesses;
  INSERT INTO customers
      (customer, business, id, name, email, email_key, phone, search_text, balance, lifetime_points, created_at)
    SELECT row_id, business, id, name, email, lower(email), phone, search_text, balance, lifetime_points,
      strftime('%Y-%m-%dT%H:%M:%fZ')
    FROM old_customers;
  INSERT INTO customer_search (rowid, search_text) SELECT row_id, search_text FROM old_customers;
  INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by, reason)
    SELECT 'ent_' || lower(hex(randomblob(8))), business, row_id, 'imported', balance, lifetime_points,
      strftime('%Y-%m-%dT%H:%M:%fZ'), 'service', 'Sample data'
    FROM old_customers WHERE lifetime_points > 0 ORDER BY row_id;
  INSERT INTO rewards SELECT business, position, id, name, cost, enabled, created_at, updated_at FROM old_rewards;
  INSERT OR IGNORE INTO codes (code, business, points, image, created_at, updated_at, expires_at, used_at)
    SELECT code, business, points, image, created_at, updated_at,
      strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+3650 days'), used_at
    FROM old_codes ORDER BY business;
  DROP TABLE old_codes;
  DROP TABLE old_rewards;
  DROP TABLE old_customers;
  DROP TABLE old_businesses;
`
