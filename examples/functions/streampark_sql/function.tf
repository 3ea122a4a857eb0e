# Needs Terraform 1.8. In practice the text is file("${path.module}/sql.yaml").
output "sql" {
  value = provider::streaming::streampark_sql(<<-YAML
    sql: |
      INSERT INTO pages SELECT page, COUNT(*) FROM clicks GROUP BY page;
  YAML
  ).sql
}
