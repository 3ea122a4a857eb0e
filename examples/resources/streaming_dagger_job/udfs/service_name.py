from pyflink.table import DataTypes
from pyflink.table.udf import udf


@udf(result_type=DataTypes.STRING())
def service_name(service_type):
    return service_type.lower().replace("_", " ")
